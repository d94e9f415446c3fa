/** Bytes of each file of the write-ahead log, as `initdb` creates it. */
export const segmentSize = 16n * 1024n * 1024n

/** Reads a position in the write-ahead log as PostgreSQL writes it: `0/1A2B3C0`. */
export function parseLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export function formatLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase()
}

/** Returns the position at which the file that holds `lsn` begins. */
export function segmentStart(lsn: bigint): bigint {
  return lsn - (lsn % segmentSize)
}

/** Returns the name of the file that holds `lsn`. */
export function segmentName(timeline: number, lsn: bigint): string {
  const perLog = 0x1_0000_0000n / segmentSize
  const number = lsn / segmentSize
  return [BigInt(timeline), number / perLog, number % perLog]
    .map(part => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}
