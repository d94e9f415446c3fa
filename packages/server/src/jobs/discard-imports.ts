import { eachApart } from '../flow/each-apart.ts'
import { discardImport } from '../moving/discard.ts'
import type { Context } from '../services/objects/context.ts'

/** Removes what interrupted imports of organizations have left. Nobody could reach it. */
export async function discardImports({ db }: Pick<Context, 'db'>): Promise<void> {
  const rows = await db.query<{ organization_id: string }>('SELECT organization_id FROM organization_imports')
  await eachApart(rows, ({ organization_id }) => discardImport(db, organization_id))
}
