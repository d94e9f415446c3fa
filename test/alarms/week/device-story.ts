import { doorCount, doorsEach } from './door-story.ts'
import type { Dice } from './random.ts'
import { day, hour, minute, monday, saturday, sunday, tuesday, wednesday, works } from './times.ts'

/** Controllers, each attached to the gateway of its floor. */
export const controllerCount = doorCount / doorsEach
export const gatewayCount = 6
const eachFloor = controllerCount / gatewayCount

/** A device by its number: gateways come after the controllers. */
export const gatewayOf = (controller: number) => controllerCount + Math.floor(controller / eachFloor)
export const deviceCount = controllerCount + gatewayCount

/** What a device is without, from when until when. Seconds. */
export interface Outage {
  readonly device: number
  readonly lacks: 'network' | 'mains' | 'charge'
  readonly from: number
  readonly until: number
}

const attachedTo = (gateway: number) =>
  Array.from({ length: eachFloor }, (_, index) => (gateway - controllerCount) * eachFloor + index)
const everyDevice = Array.from({ length: deviceCount }, (_, index) => index)
const without = (lacks: Outage['lacks'], device: number, from: number, until: number): Outage => ({
  ...{ lacks, device, from, until },
})
const offline = (device: number, from: number, until: number) => without('network', device, from, until)

/** The gateway of the second floor drops every hour, mostly for some minutes. What is attached goes with it. */
function* hourly(dice: Dice): Generator<Outage> {
  const gateway = controllerCount + 1
  for (let start = 0; start < 7 * day; start += hour) {
    const from = start + dice.between(5 * minute, 12 * minute)
    const until = from + (dice.percent(20) ? dice.between(330, 900) : dice.between(60, 240))
    yield offline(gateway, from, until)
    for (const device of attachedTo(gateway)) {
      const stays = dice.percent(0.5) ? 25 * minute : dice.between(2, 20)
      yield offline(device, from + dice.between(0, 3), until + stays)
    }
  }
}

/** A loose cable, and a radio link that lasts for a minute at a time. */
function* shaky(dice: Dice): Generator<Outage> {
  for (let at = wednesday + 10 * hour; at < wednesday + 13 * hour; at += dice.between(50, 120))
    yield offline(47, at, at + dice.between(20, 45))
  for (let at = saturday; at < saturday + 6 * hour; at += dice.between(400, 520))
    yield offline(33, at, at + dice.between(310, 380))
}

function* technicians(dice: Dice): Generator<Outage> {
  for (let index = 0; index < eachFloor; index++) {
    const from = works.from + dice.between(10 * minute, 2 * hour)
    yield offline(works.floor * eachFloor + index, from, from + dice.between(6 * minute, 15 * minute))
  }
}

/** Everything that happens to devices in the week. */
export function* storyOfDevices(dice: Dice): Generator<Outage> {
  yield* hourly(dice)
  yield* shaky(dice)
  yield* technicians(dice)
  // The service is restarted in the night to Tuesday.
  for (const device of everyDevice)
    yield offline(device, tuesday + 3 * hour + dice.between(0, 2), tuesday + 3 * hour + dice.between(10, 70))
  // The lights flicker on Sunday, and the fuse of a floor is out for longer.
  const cut = sunday + 4 * hour
  for (const device of everyDevice) {
    const isOut = gatewayOf(device) === controllerCount + 4 && device < controllerCount
    yield without('mains', device, cut, cut + (isOut ? 50 * minute : 25))
  }
  yield without('charge', 12, monday + 14 * hour, tuesday + 10 * hour)
}
