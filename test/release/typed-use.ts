/** A program of an integrator. Each `@ts-expect-error` is a mistake that the types must find. */
export const typedUse = `
import { ApiError, createClient, type Granted, type ListQuery, type StreamedEvent, verifyWebhook } from '@gatehouse-access/sdk'

const gatehouse = createClient({ base_url: 'http://localhost:8080/v2', token: 'gha_x' })
const member = await gatehouse.members.create({ name: 'Reservation R-2002' })
const pin = await gatehouse.member_pins.create(member.id, {})
const digits: string = pin.pin
const granted: Granted = await gatehouse.grants.create({ member: { name: 'x' }, member_group_ids: ['mg_1'] })
const query: ListQuery<'member'> = { limit: 3 }
const page = await gatehouse.members.list(query)
for await (const event of gatehouse.events.all({ 'object.member_id': member.id })) console.log(event.verb)
export const show = (event: StreamedEvent) => [event, page.data[0]?.id.length, digits, granted.pins]
try {
  await verifyWebhook({} as Parameters<typeof verifyWebhook>[0])
} catch (error) {
  if (error instanceof ApiError) console.log(error.type)
}
// @ts-expect-error There is no such field.
await gatehouse.members.create({ nam: 'x' })
// @ts-expect-error A name is no number.
export const wrong: number = member.name
// @ts-expect-error There is no such resource.
gatehouse.people.list()
`
