import { Slots } from '../../flow/slots.ts'

/**
 * Limits the reads for a single stream: its start position, missed events and expanded objects. Organizations
 * take turns, so a thousand streams that resume at once leave the database to other requests.
 */
export const streamReads = new Slots(32, 16)
