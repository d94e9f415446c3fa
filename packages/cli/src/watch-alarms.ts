import type { Client } from '@gatehouse-access/sdk'
import { type Alarm, placesOfAlarms, type Told } from './describe-alarm.ts'

interface Watched {
  /** Called once, when everything that happens from now on will be shown. */
  begin(): Promise<void>
  show(alarm: Alarm & Told): void
  readonly signal?: AbortSignal
}

/** Shows alarms as they begin and change, without a gap after what `begin` has shown. */
export async function watchAlarms(client: Client, { begin, show, signal }: Watched): Promise<void> {
  const ready = Promise.withResolvers<void>()
  const stream = client.events.stream({
    filter: [{ object_type: 'alarm' }],
    onReady: () => ready.resolve(),
    ...(signal && { signal }),
  })
  const first = stream.next()
  await Promise.race([ready.promise, first])
  await begin()
  for (let step = await first; !step.done; step = await stream.next()) {
    const { alarm_id } = step.value.event.object
    if (alarm_id) show(await client.alarms.get<Told>(alarm_id, { expand: placesOfAlarms }))
  }
}
