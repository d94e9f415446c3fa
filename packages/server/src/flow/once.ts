export interface Once<T> {
  (): Promise<T>
  /** What was made, or undefined if nobody has asked yet. */
  made(): Promise<T> | undefined
}

/** Makes a value on first use. If that fails, the next use tries again. */
export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
  return Object.assign(get, { made: () => made })
}
