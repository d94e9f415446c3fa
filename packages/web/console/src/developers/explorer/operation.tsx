import { Button, Code, Group, JsonInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { IconPlayerPlay } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Copied } from '../../parts/copied.tsx'
import { explainFailure } from '../../parts/failure.tsx'
import { Section } from '../../parts/page.tsx'
import { useApi } from '../../session/use-api.ts'
import { pretty } from '../webhooks/delivery.tsx'
import type { Operation } from './document.ts'
import { Method } from './method.tsx'
import { ParameterFields } from './parameters.tsx'
import { curlLine, type Filled, missingOf, type Ready, readyRequest } from './request.ts'

interface Answer {
  readonly status: string
  readonly is_good: boolean
  readonly milliseconds: number
  readonly text: string
}

/** Fills in one request and sends it as the signed-in user. */
export function OperationForm({ operation }: { operation: Operation }) {
  const { headers, may_write } = useApi()
  const [filled, setFilled] = useState<Filled>({})
  const [body, setBody] = useState(operation.body ?? '')
  const [answer, setAnswer] = useState<Answer>()
  const [is_busy, setBusy] = useState(false)
  const ready = readyRequest(operation, filled, body)
  const missing = missingOf(operation, filled)
  const is_refused = !may_write && operation.method !== 'GET'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setAnswer(await send(ready, headers))
    setBusy(false)
  }
  return (
    <div className="stack developers-try">
      <Section title={operation.summary} about={operation.description}>
        <form onSubmit={event => void submit(event)}>
          <Stack gap="sm">
            <div className="developers-line">
              <Method method={operation.method} />
              <code className="mono">/v2{operation.path}</code>
            </div>
            <ParameterFields
              operation={operation}
              filled={filled}
              onChange={(name, value) => setFilled(held => ({ ...held, [name]: value }))}
            />
            {operation.body !== undefined && (
              <JsonInput
                label="Body"
                description="JSON, prefilled with an example"
                autosize
                minRows={4}
                maxRows={18}
                validationError="Not valid JSON"
                classNames={{ input: 'mono' }}
                value={body}
                onChange={setBody}
              />
            )}
            <Group justify="space-between">
              <Text size="xs" c="dimmed">
                {hint(missing, is_refused)}
              </Text>
              <Button
                type="submit"
                leftSection={<IconPlayerPlay size={14} />}
                loading={is_busy}
                disabled={missing.length > 0 || is_refused}
              >
                Send
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      {answer && <AnswerSection answer={answer} />}
      <Section title="As a curl command" about="Set $TOKEN to an application’s token">
        <div className="shown-once">
          <Copied value={curlLine(location.origin, ready)} what="the curl command" />
        </div>
      </Section>
    </div>
  )
}

function hint(missing: readonly string[], is_refused: boolean): string {
  if (is_refused) return t('You are a viewer: you can only send requests that read.')
  if (missing.length > 0) return t(`Fill in ${missing.join(', ')} first.`)
  return t('This runs in this organization, as you.')
}

function AnswerSection({ answer: { status, is_good, milliseconds, text } }: { answer: Answer }) {
  return (
    <Section
      title="Response"
      actions={
        <Group gap={8}>
          <span className="dot" data-tone={is_good ? 'good' : 'bad'} />
          <Text size="sm">
            {status} in {milliseconds} ms
          </Text>
        </Group>
      }
    >
      <Code block className="developers-code" tabIndex={0} aria-label="Response">
        {pretty(text) || t('Empty')}
      </Code>
    </Section>
  )
}

/** Bypasses the client, so that the raw response is shown exactly as received, errors included. */
async function send(ready: Ready, session: Readonly<Record<string, string>>): Promise<Answer> {
  const started = performance.now()
  const { method, path, body } = ready
  const headers = {
    ...session,
    ...ready.headers,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const spent = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(path, { method, headers, body: body ?? null })
    const text = await response.text()
    const status = `${response.status} ${response.statusText}`.trim()
    return { status, is_good: response.ok, milliseconds: spent(), text }
  } catch (error) {
    return {
      status: t('No response'),
      is_good: false,
      milliseconds: spent(),
      text: explainFailure(error).why,
    }
  }
}
