import { reasons } from './engine/reasons.ts'

/** Reasons that originate on the device: its clock, its keypad, a phone's pass, its hardware. */
const deviceReasons = [
  'clock_unsure',
  'keypad_paused',
  'pass_invalid',
  'pass_expired',
  'hardware_failed',
  'unreachable',
] as const

/** Every denial reason. Code that maps them uses a `Record`, so that the compiler reports a missing entry. */
export const denialReasons = [...reasons, ...deviceReasons] as const
export type DenialReason = (typeof denialReasons)[number]
