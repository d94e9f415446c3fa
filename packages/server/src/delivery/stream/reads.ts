import { Slots } from '../../flow/slots.ts'

/**
 * What streams read for one of them alone: where it begins, what it missed, what it wants embedded. So many at a time and in
 * turn by organization: a thousand that resume at once leave the database to the requests of others.
 */
export const streamReads = new Slots(32, 16)
