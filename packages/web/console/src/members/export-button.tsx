import { ApiError } from '@gatehouse-access/sdk'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { IconDownload } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useApi } from '../session/use-api.ts'

/** Exports all members that are not deleted as CSV, with the columns that an import reads. */
export function ExportButton() {
  const { headers } = useApi()
  const [is_running, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      const response = await fetch('/v2/members/export?format=csv', { headers })
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
      saveFile('members.csv', 'text/csv', await response.blob())
    } catch (error) {
      showFailure(error, t('Export failed'))
    }
    setRunning(false)
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={14} />} loading={is_running} onClick={run}>
      Export
    </Button>
  )
}
