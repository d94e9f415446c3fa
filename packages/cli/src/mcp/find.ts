import type { Client } from '@gatehouse-access/sdk'
import { findByName } from '../find-by-name.ts'

/** Models say names as people do, so the only match counts, also if it is not the whole name. */
export function findDoor({ gadgets }: Client, wanted: string) {
  return findByName(gadgets, { prefix: 'gad_', what: 'door', wanted, or_only: true })
}

export function findMember({ members }: Client, wanted: string) {
  return findByName(members, { prefix: 'mem_', what: 'member', wanted, or_only: true })
}

export function findGroup({ member_groups }: Client, wanted: string) {
  return findByName(member_groups, { prefix: 'mg_', what: 'group', wanted, or_only: true })
}
