import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { SearchSelect } from '../../form/search-select.tsx'
import { IconSearch } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Failure } from '../../parts/failure.tsx'
import { LoadingLines } from '../../parts/loading.tsx'
import { useApi } from '../../session/use-api.ts'
import { DevelopersFrame } from '../frame.tsx'
import { type OpenApi, type Operation, operationsOf } from './document.ts'
import { Method } from './method.tsx'
import { OperationForm } from './operation.tsx'

/** Lists every endpoint of the API. Requests are sent with the user's session. */
export function Explorer() {
  const { headers } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: async () => {
      const answer = await fetch('/v2/openapi.json', { headers })
      if (!answer.ok) throw new Error(t(`Could not load the API description (status ${answer.status})`))
      return operationsOf((await answer.json()) as OpenApi)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <DevelopersFrame>
      {error && <Failure error={error} retry={refetch} />}
      {!data && !error && <LoadingLines lines={8} />}
      <Text size="sm" c="dimmed" mb="md">
        The API calls everything that a device controls a <code className="mono">gadget</code>: a door, a
        lift, a light. The rest of the console calls them doors.
      </Text>
      {data && <Operations operations={data} />}
    </DevelopersFrame>
  )
}

function Operations({ operations }: { operations: readonly Operation[] }) {
  const [params, setParams] = useSearchParams()
  const chosen = operations.find(({ id }) => id === params.get('operation')) ?? operations[0]
  return (
    <div className="developers-explorer">
      <SearchSelect
        className="on-phone"
        label="Endpoint"
        allowDeselect={false}
        data={operations.map(({ id, method, path }) => ({ value: id, label: `${method} ${path}` }))}
        value={chosen?.id ?? null}
        onChange={id => id && setParams({ operation: id })}
      />
      <OperationList operations={operations} chosen={chosen} />
      {chosen && <OperationForm key={chosen.id} operation={chosen} />}
    </div>
  )
}

function OperationList({
  operations,
  chosen,
}: {
  operations: readonly Operation[]
  chosen: Operation | undefined
}) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operations.filter(({ method, path, summary }) => {
    const line = `${method} ${path} ${summary}`.toLowerCase()
    return words.every(word => line.includes(word))
  })
  return (
    <nav className="developers-operations on-desktop" aria-label="Endpoints">
      <TextInput
        aria-label="Search endpoints"
        placeholder="Search endpoints"
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          No matching endpoints
        </Text>
      )}
      {[...Map.groupBy(found, ({ tag }) => tag)].map(([tag, entries]) => (
        <div key={tag}>
          <Text size="xs" c="dimmed" fw={600} mt="sm" mb={2}>
            {tag}
          </Text>
          {entries.map(entry => (
            <Link
              key={entry.id}
              href={`/developers/explorer?operation=${entry.id}`}
              className="developers-operation"
              aria-current={entry === chosen ? 'page' : undefined}
            >
              <Method method={entry.method} />
              <span className="clip">{entry.summary}</span>
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}
