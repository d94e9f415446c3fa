let is_offline = !navigator.onLine
let tell: (is_offline: boolean) => void = () => undefined

export function isOffline(): boolean {
  return is_offline
}

/** Browsers do not always notice that the network is gone, so each request tells whether the service was reached. */
export function noteNetwork(is_reached: boolean): void {
  is_offline = !is_reached
  tell(is_offline)
}

export function onNetwork(listen: (is_offline: boolean) => void): void {
  tell = listen
  listen(is_offline)
}
