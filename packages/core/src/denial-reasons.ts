import { reasons } from './engine/reasons.ts'

/** Why a device denies beside what the engine says: its clock, its keypad, a phone's pass, its hardware. */
const deviceReasons = [
  'clock_unsure',
  'keypad_paused',
  'pass_invalid',
  'pass_expired',
  'hardware_failed',
  'unreachable',
] as const

/** Every reason that a denial can have: what has a word or a rule for each is a `Record` of it, so that none is forgotten. */
export const denialReasons = [...reasons, ...deviceReasons] as const
export type DenialReason = (typeof denialReasons)[number]
