import { type World, type WorldOptions, world } from '@gatehouse-access/testkit'
import { type Client, found, register, signUp } from './people.ts'
import type { Visitor } from './visitor.ts'

export interface Stage {
  readonly w: World
  readonly owner: Visitor
  readonly organization_id: string
  readonly client: Client
  readonly url: string
}

/** Starts a service with an owner, an organization and an application that requests access to it. */
export async function openStage(options: WorldOptions = {}): Promise<Stage> {
  const w = await world({ is_reachable: true, ...options })
  const owner = await signUp(w, 'owner@example.com')
  return { w, owner, organization_id: await found(owner), client: await register(owner), url: owner.url }
}
