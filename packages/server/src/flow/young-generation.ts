import { setFlagsFromString } from 'node:v8'

let holders = 0

/**
 * Keeps V8 from enlarging the space for new objects while something runs that makes a lot of garbage and that nobody waits
 * for. It would grow to 100 MB, for collections that are fewer, and stay so large.
 */
export function holdYoungGeneration(): Disposable {
  if (holders++ === 0) setFlagsFromString('--semi-space-growth-factor=1')
  return {
    [Symbol.dispose]() {
      if (--holders === 0) setFlagsFromString('--semi-space-growth-factor=2')
    },
  }
}
