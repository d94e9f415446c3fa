import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { resources } from '../../packages/api/src/index.ts'
import type { Row } from '../../packages/server/src/database/db.ts'
import { connect, findConnection } from '../../packages/server/src/index.ts'
import { searchText } from '../../packages/server/src/store/search.ts'
import { recordStatements } from './statements.ts'

// The minimal implementation of these routes: the same SQL, driver and pool, and nothing else.
const [data_dir = '', organization_id = '', oauth_application_id = ''] = process.argv.slice(2)
const db = connect(findConnection(data_dir))
const statements = await recordStatements()
const app = fastify()

interface Query {
  limit: '20' | '100'
  expand?: string
}
interface Member {
  name: string
  starts_at: string
  ends_at: string
  metadata: Record<string, string>
}

app.get('/members/:id', async request => {
  const { id } = request.params as { id: string }
  const [row] = await db.query(statements.find, [organization_id, id])
  return row
})

app.get('/members', async request => {
  const { limit, expand } = request.query as Query
  const rows = await db.query<Row>(statements[`page${limit}`], [organization_id])
  const data = rows.slice(0, Number(limit))
  if (expand) await embed(data)
  return { data, has_next: rows.length > data.length }
})

app.post('/members', async request => {
  const [row] = await db.query(statements.insert, insertValues(request.body as Member))
  return row
})

async function embed(members: Row[]): Promise<void> {
  const ids = members.map(member => member.id)
  const [emails, associations] = await Promise.all([
    db.query<Row>(statements.emails, [organization_id, ids, 10_000]),
    db.query<Row>(statements.associations, [organization_id, ids, 10_000]),
  ])
  const groupIds = [...new Set(associations.map(association => association.member_group_id))]
  const groups = await db.query<Row>(statements.groups, [organization_id, groupIds, 10_000])
  const groupOf = new Map(groups.map(group => [group.id, group]))
  for (const association of associations) association.member_group = groupOf.get(association.member_group_id)
  const emailsOf = Map.groupBy(emails, email => email.member_id)
  const associationsOf = Map.groupBy(associations, association => association.member_id)
  for (const member of members) {
    member.emails = emailsOf.get(member.id) ?? []
    member.group_associations = associationsOf.get(member.id) ?? []
  }
}

const memberColumns = /INSERT INTO members \(([^)]+)\)/.exec(statements.insert)?.[1]?.split(', ') ?? []
let count = 0
const day = 86_400_000

function insertValues({ name, starts_at, ends_at, metadata }: Member): unknown[] {
  const now = new Date().toISOString()
  const suffix = `bare${String(++count).padStart(16, '0')}`
  const id = `mem_${suffix}`
  const deleteAt = new Date(Date.parse(ends_at) + day).toISOString()
  const member: Row = {
    id,
    organization_id,
    name,
    starts_at,
    ends_at,
    is_suspended: false,
    auto_delete_at: deleteAt,
    tag_ids: [],
    is_deleted: false,
    created_at: now,
    metadata,
    search_text: searchText(resources.member, { name }),
  }
  const subject = { oauth_application_id, ip_address: '127.0.0.1', client: null }
  const object = { type: 'member', member_id: id }
  return [
    ...memberColumns.map(column => member[column] ?? null),
    `evt_${suffix}`,
    organization_id,
    subject,
    'create',
    object,
    now,
    now,
    false,
    null,
    true,
  ]
}

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
process.on('disconnect', () => process.exit())
