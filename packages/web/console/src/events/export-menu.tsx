import { ApiError } from '@gatehouse-access/sdk'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { IconDownload } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { resolveSpan } from '../lists/days-filter.ts'
import { showFailure } from '../parts/failure.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useApi } from '../session/use-api.ts'
import { type EventFilters, toParams } from './filters.ts'

/** Exports every event that matches the filters. */
export function ExportMenu({ filters }: { filters: EventFilters }) {
  const { headers } = useApi()
  const [is_running, setRunning] = useState(false)
  const run = async (format: 'csv' | 'ndjson') => {
    setRunning(true)
    try {
      const response = await fetch(
        `/v2/events/export?${toParams({ ...resolveSpan(filters, 'created_at'), format })}`,
        { headers },
      )
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
      saveFile(`events.${format}`, 'text/plain', await response.blob())
    } catch (error) {
      showFailure(error, t('Export failed'))
    }
    setRunning(false)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={is_running} leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => void run('ndjson')}>NDJSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
