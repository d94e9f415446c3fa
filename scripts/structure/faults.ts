import { dirname } from 'node:path'
import { type Arrow, findCycles } from './graph.ts'
import { findHomeless, findUpward } from './rooms.ts'
import type { Source } from './sources.ts'

/** A larger folder contains several rooms. */
const most_files = 25

/** Returns structural problems as sentences: imports from later rooms, import cycles, oversized folders. */
export function findFaults(sources: readonly Source[]): string[] {
  const arrows = sources.flatMap(({ path, imports }) => imports.map(({ to }) => ({ from: path, to })))
  return [
    ...findHomeless(sources),
    ...findUpward(sources),
    ...sources
      .filter(({ path, has_sql }) => has_sql && path.startsWith('packages/server/src/http/'))
      .map(({ path }) => `${path} asks the database; services do that`),
    ...findCircles(arrows),
    ...countByFolder(sources)
      .filter(([folder, count]) => folder.startsWith('packages/server/src') && count > most_files)
      .map(([folder, count]) => `${folder} has ${count} files; at most ${most_files} have a place in a room`),
  ]
}

export function findCircles(arrows: readonly Arrow[]): string[] {
  return findCycles(arrows).map(files => `these import each other: ${files.join(', ')}`)
}

export function countByFolder(sources: readonly Source[]): (readonly [string, number])[] {
  const groups = Map.groupBy(sources, ({ path }) => dirname(path))
  return [...groups].map(([folder, files]) => [folder, files.length] as const)
}
