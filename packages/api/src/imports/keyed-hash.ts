/** Two random words of 32 bits. */
export type HashKey = readonly [number, number]

/**
 * HalfSipHash-2-4 of a text's UTF-16 units: 64 bits as two words. Whoever does not know the key finds no texts with the
 * same hash, nor with neighbouring ones.
 */
export function keyedHash([one, two]: HashKey, text: string): HashKey {
  let [v0, v1, v2, v3] = [one, two ^ 0xee, 0x6c796765 ^ one, 0x74656462 ^ two]
  let first = 0
  const words = (text.length >> 1) + 1
  for (let index = 0; index < words + 2; index++) {
    const word = index < words ? wordAt(text, index) : 0
    v3 ^= word
    if (index === words) v2 ^= 0xee
    if (index > words) {
      first = v1 ^ v3
      v1 ^= 0xdd
    }
    for (let rounds = index < words ? 2 : 4; rounds > 0; rounds--) {
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
    v0 ^= word
  }
  return [first >>> 0, (v1 ^ v3) >>> 0]
}

/** The last word has the length, in bytes. */
function wordAt(text: string, index: number): number {
  const at = 2 * index
  if (at + 1 < text.length) return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
  return (at < text.length ? text.charCodeAt(at) : 0) | (text.length << 25)
}
