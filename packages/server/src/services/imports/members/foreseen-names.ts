/** What `Foreseen` knows of members, by names of its own. */
export const named = {
  card: (id: string) => `card ${id}`,
  pin: (hash: Uint8Array | string) =>
    `pin ${typeof hash === 'string' ? hash : Buffer.from(hash).toString('hex')}`,
  /** How many PINs of a length there are. */
  pins: (length: number) => `pins of ${length}`,
  email: (id: string) => `email ${id}`,
  /** The external ID or the key of metadata that a member had. */
  key: (memberId: string) => `key ${memberId}`,
  member: (id: string) => `member ${id}`,
}
