import { reasons } from './engine/reasons.ts'

/** Why a device itself denies access: its clock, its keypad, a phone's pass, its hardware. */
const deviceReasons = [
  'clock_unsure',
  'keypad_paused',
  'pass_invalid',
  'pass_expired',
  'hardware_failed',
  'unreachable',
] as const

/** Every reason that a denial can have. Code that needs something for each uses a `Record`, so that none is forgotten. */
export const denialReasons = [...reasons, ...deviceReasons] as const
export type DenialReason = (typeof denialReasons)[number]
