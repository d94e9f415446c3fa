import type { Client } from '@gatehouse-access/sdk'
import { verifyAudit } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { asUser } from './owner.ts'

type Erasure = Awaited<ReturnType<Client['erasures']['get']>>

/** Works on erasures until this one is in a state. */
export async function workUntil(
  w: World,
  client: Pick<Client, 'erasures'>,
  id: string,
  state: Erasure['state'],
): Promise<Erasure> {
  await expect
    .poll(
      async () => {
        w.clock.advance(4)
        await tendErasures(w.server.context)
        return (await client.erasures.get(id)).state
      },
      { timeout: 20_000 },
    )
    .toBe(state)
  return client.erasures.get(id)
}

/** Waits until every event is in its chain. */
export async function allSealed({ server }: World): Promise<void> {
  const early = () =>
    server.context.db.query(
      `SELECT 1 FROM events e WHERE NOT EXISTS (SELECT 1 FROM audit_links l WHERE l.organization_id = e.organization_id AND l.event_id = e.id)`,
    )
  await expect.poll(early).toEqual([])
}

export async function expectWholeChain(w: World): Promise<void> {
  const { db, config } = w.server.context
  const report = await verifyAudit(db, { secret_keys: config.secret_keys })
  expect(report.breaks).toEqual([])
  expect(report.unreceipted).toBe(0)
}

/** What `workUntil` asks, as a user with a session. */
export function clientOf(visitor: Visitor, organization_id: string): Pick<Client, 'erasures'> {
  const get = async (id: string) =>
    (await asUser(visitor, organization_id)<Erasure>('GET', `/erasures/${id}`)).body
  return { erasures: { get } } as unknown as Pick<Client, 'erasures'>
}
