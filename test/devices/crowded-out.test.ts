import { quickest, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addController, building } from './building.ts'
import { type DeviceOptions, ScriptedDevice } from './scripted-device.ts'

const owned = new AsyncDisposableStack()
const crowd: DeviceOptions[] = []
let w: World
let alone: DeviceOptions

beforeAll(async () => {
  w = owned.use(await world())
  const large = await w.tenant('Large')
  const place = await building(w, large)
  await large.client.member_groups.edit(place.group.id, { permissions: [{ site_id: place.site.id }] })
  const added = Array.from({ length: 24 }, () => addController(w, large, place.site.id, 'Of many'))
  crowd.push(...(await Promise.all(added)).map(({ credentials }) => credentials))
  alone = (await building(w, await w.tenant('Small'))).credentials
  await slowDown(large)
})
afterAll(() => owned.disposeAsync())

/** Lets each registration in the organization take 150 ms longer, as if much had to be read for it. */
async function slowDown({ organization_id }: Tenant): Promise<void> {
  await w.server.context.db.query(
    `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN IF NEW.organization_id = '${organization_id}' THEN PERFORM pg_sleep(0.15); END IF; RETURN NEW; END $$;
     CREATE TRIGGER linger BEFORE INSERT ON device_groups FOR EACH ROW EXECUTE FUNCTION linger()`,
    [],
    { prepare: false },
  )
}

/** Milliseconds until the device has its whole slice. */
async function register(options: DeviceOptions): Promise<number> {
  const begin = performance.now()
  const device = await ScriptedDevice.connect(options)
  await device.until(({ policy }) => policy !== undefined)
  const took = performance.now() - begin
  await device.close()
  return took
}

test('a neighbour registers as quickly while all controllers of a large organization come back', async () => {
  const before = await quickest(0, () => register(alone), 3)
  const devices = await Promise.all(crowd.map(ScriptedDevice.open))
  for (const device of devices) device.hello()
  await devices[0]?.next('welcome')
  const areWaiting = () => devices.some(({ policy }) => policy === undefined)
  const meanwhile = await quickest(
    5 * before,
    async () => {
      const took = await register(alone)
      return areWaiting() ? took : Number.POSITIVE_INFINITY
    },
    3,
  )
  for (const device of devices) device.socket.terminate()
  await w.server.context.db.query('DROP TRIGGER linger ON device_groups')
  expect(meanwhile / before).toBeLessThan(5)
})
