import { ApiError } from '@gatehouse-access/sdk'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { IconDownload } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useNow } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { fileWords } from './file-words.ts'
import type { Job } from './job.ts'

type File = Job['files'][number]

/** What the job has written. Files with secrets are for whoever made it, and are shown once unless asked again. */
export function JobFiles({ job }: { job: Job }) {
  if (job.files.length === 0) return null
  return (
    <Section title="Files">
      <Stack gap="sm">
        {job.files.map(file => (
          <FileLine key={file.name} job={job} file={file} />
        ))}
      </Stack>
    </Section>
  )
}

function FileLine({ job, file }: { job: Job; file: File }) {
  const { session } = useApi()
  const { is_busy, download } = useDownload(job, file)
  const now = useNow(30_000)
  const is_gone = Date.parse(file.expires_at) <= now
  const is_others = file.is_secret && job.created_by.user_id !== session.user.id
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm">{fileWords[file.name] ?? file.name}</Text>
        <Text size="xs" c="dimmed">
          {fileWords[file.name] && `${file.name}, `}
          {formatBytes(file.bytes)},{' '}
          {is_gone ? (
            'removed'
          ) : (
            <>
              until <OwnTime at={file.expires_at} />
            </>
          )}
          {file.is_secret && ', contains secrets'}
        </Text>
      </div>
      {!is_gone && !is_others && (
        <Button
          variant="default"
          size="xs"
          style={{ flex: 'none' }}
          leftSection={<IconDownload size={14} />}
          loading={is_busy}
          onClick={download}
          aria-label={`Download ${file.name}`}
        >
          {file.fetched_at ? 'Download again' : 'Download'}
        </Button>
      )}
    </Group>
  )
}

function useDownload(job: Job, file: File) {
  const { headers } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const again = file.fetched_at ? '?again=true' : ''
      const response = await fetch(`/v2/jobs/${job.id}/files/${file.name}${again}`, { headers })
      if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
      saveFile(file.name, file.media_type, await response.blob())
    } catch (error) {
      showFailure(error, t('Could not download the file'))
    }
    setBusy(false)
    refresh('jobs')
  }
  return { is_busy, download }
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return t(`${bytes} bytes`)
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
