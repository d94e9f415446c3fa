/** One way to the service. After `close` nothing more comes from it. */
export interface Connection {
  send(text: string): void
  /** While held, nothing is read from it, and the service waits with what it has to send. */
  hold(isHeld: boolean): void
  close(): void
}

export interface ConnectionHandlers {
  open(): void
  message(text: string): void
  /** Once; also when it could not be opened. */
  close(code: number, reason: string): void
}

export type Connect = (handlers: ConnectionHandlers) => Connection
