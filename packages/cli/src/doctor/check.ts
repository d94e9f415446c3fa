import type { Config, Pool } from '@gatehouse-access/server'
import type { Input } from '../command.ts'

export type Status = 'ok' | 'warning' | 'failure' | 'skipped'

/** What a check found, and what to do about it. */
export interface Finding {
  readonly status: Status
  readonly message: string
  readonly advice?: string
}

/** What is examined. */
export interface Patient {
  readonly input: Input
  readonly config: Config
  /** Undefined if the database cannot be reached. */
  readonly db: Pool | undefined
}

export interface Check {
  readonly id: string
  look(patient: Patient): Promise<Finding>
}

export const well = (message: string): Finding => ({ status: 'ok', message })
export const skipped = (message: string): Finding => ({ status: 'skipped', message })
export const warning = (message: string, advice: string): Finding => ({ status: 'warning', message, advice })
export const failure = (message: string, advice: string): Finding => ({ status: 'failure', message, advice })

const noDatabase = skipped('The database cannot be reached.')

/** Runs a check that needs the database. */
export function ofDatabase(id: string, look: (db: Pool, patient: Patient) => Promise<Finding>): Check {
  return { id, look: async patient => (patient.db ? look(patient.db, patient) : noDatabase) }
}
