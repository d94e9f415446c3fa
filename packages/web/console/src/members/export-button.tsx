import { csvLine } from '@gatehouse-access/core'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { IconDownload } from '../icons/icons.ts'
import { showFailure } from '../parts/failure.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useApi } from '../session/use-api.ts'

const head = [
  'id',
  'external_id',
  'name',
  'starts_at',
  'ends_at',
  'created_at',
  'emails',
  'groups',
  'metadata',
]

interface Expanded {
  readonly emails: readonly { readonly email: string }[]
  readonly group_associations: readonly { readonly member_group: { readonly name: string } }[]
}

/** Exports all members that are not deleted as CSV. Loads them page by page and shows the progress. */
export function ExportButton() {
  const { client } = useApi()
  const [count, setCount] = useState<number>()
  const run = async () => {
    const rows: string[][] = [head]
    try {
      const expand = ['emails', 'group_associations.member_group']
      for await (const member of client.members.all<Expanded>({ expand, sort: 'created_at:asc' })) {
        rows.push([
          member.id,
          member.external_id ?? '',
          member.name ?? '',
          member.starts_at ?? '',
          member.ends_at ?? '',
          member.created_at,
          member.emails.map(({ email }) => email).join(' '),
          member.group_associations.map(({ member_group }) => member_group.name).join('; '),
          JSON.stringify(member.metadata),
        ])
        if (rows.length % 100 === 0) setCount(rows.length)
      }
      saveFile('members.csv', 'text/csv', rows.map(csvLine).join(''))
    } catch (error) {
      showFailure(error, 'Export failed')
    }
    setCount(undefined)
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} />}
      onClick={run}
      disabled={count !== undefined}
    >
      {count === undefined ? 'Export' : `${count.toLocaleString('en')} …`}
    </Button>
  )
}
