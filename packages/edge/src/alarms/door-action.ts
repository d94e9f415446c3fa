/** An action that was run at a door. */
export interface DoorAction {
  readonly action_id: string
  /** When it was ordered, by the monotonic clock. The door may open before the hardware has answered. */
  readonly since?: number
  readonly is_for_member?: boolean
}
