/** Whether people point with a finger: hints then speak of no mouse and no keys. */
export const is_touch = matchMedia('(pointer: coarse)').matches
