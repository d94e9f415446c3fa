/** A connection to the service. It delivers nothing after `close`. */
export interface Connection {
  send(text: string): void
  /** While held, nothing is read, so that back-pressure stops the service from sending. */
  hold(isHeld: boolean): void
  close(): void
}

export interface ConnectionHandlers {
  open(): void
  message(text: string): void
  /** Called once, also when the connection could not be opened. */
  close(code: number, reason: string): void
}

export type Connect = (handlers: ConnectionHandlers) => Connection
