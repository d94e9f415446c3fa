import { dirname } from 'node:path'
import { findCycles } from './graph.ts'
import { findHomeless, findUpward } from './rooms.ts'
import type { Source } from './sources.ts'

/** A folder with more than that has several rooms in it. */
const most_files = 25

/** What is wrong with the structure, as sentences: imports that run upward, cycles of imports, crowded folders. */
export function findFaults(sources: readonly Source[]): string[] {
  const arrows = sources.flatMap(({ path, imports }) => imports.map(({ to }) => ({ from: path, to })))
  return [
    ...findHomeless(sources),
    ...findUpward(sources),
    ...sources
      .filter(({ path, has_sql }) => has_sql && path.startsWith('packages/server/src/http/'))
      .map(({ path }) => `${path} asks the database; services do that`),
    ...findCycles(arrows).map(files => `these import each other: ${files.join(', ')}`),
    ...countByFolder(sources)
      .filter(([folder, count]) => folder.startsWith('packages/server/src') && count > most_files)
      .map(([folder, count]) => `${folder} has ${count} files; at most ${most_files} have a place in a room`),
  ]
}

export function countByFolder(sources: readonly Source[]): (readonly [string, number])[] {
  const groups = Map.groupBy(sources, ({ path }) => dirname(path))
  return [...groups].map(([folder, files]) => [folder, files.length] as const)
}
