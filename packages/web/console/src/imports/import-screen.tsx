import { useSearchParams } from 'wouter'
import { Page } from '../parts/page.tsx'
import { ImportJob } from './import-job.tsx'
import { type ImportedKind, importedKinds } from './kinds.ts'
import { NewImport } from './new-import.tsx'
import './imports.css'

/** Imports a file: its columns, what is wrong with it, what it would change, and then its job. */
export function ImportScreen({ kind }: { kind: ImportedKind }) {
  const { title, list, path } = importedKinds[kind]
  const [params, setParams] = useSearchParams()
  const id = params.get('job')
  return (
    <Page title={title} trail={[[list, path]]}>
      {id ? (
        <ImportJob key={id} id={id} kind={kind} onJob={next => setParams(next ? { job: next } : {})} />
      ) : (
        <NewImport kind={kind} onJob={next => setParams({ job: next })} />
      )}
    </Page>
  )
}
