import type { SliceRow } from '@gatehouse-access/api'

type Gadget = SliceRow<'gadgets'>

/** A door at which a request to exit must be answered by the controller. */
export type Exit = Gadget & { readonly door: NonNullable<Gadget['door']> }

/** Whether people cannot leave by this door without the controller, and the signal asks for it. */
export function isExit(gadget: Gadget, signalId: string): gadget is Exit {
  return gadget.door?.egress === 'electric' && gadget.door.exit_signal_id === signalId
}
