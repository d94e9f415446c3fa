import { icons } from '@iconify-json/tabler'
import type { Plugin } from 'vite'

/**
 * Replaces the names in `icons.ts` by the paths of the drawings, so that the page carries only those it shows.
 * The drawings come from one file. A package with a module for each of its 6,000 would take a quarter of what
 * the first `npm start` installs.
 */
export function drawIcons(): Plugin {
  return {
    name: 'gatehouse-draw-icons',
    enforce: 'pre',
    transform: {
      filter: { id: /\/icons\/icons\.ts$/ },
      handler: code =>
        code.replaceAll(/icon\('([\w-]+)'\)/g, (_, name: string) => `icon(${findPaths(name)})`),
    },
  }
}

/** Returns the paths of a drawing as arguments. */
function findPaths(name: string): string {
  const drawing = icons.icons[icons.aliases?.[name]?.parent ?? name]
  if (drawing === undefined) throw new Error(`There is no icon "${name}".`)
  const shapes = drawing.body.match(/<(?!g |\/)[^>]*>/g) ?? []
  return shapes.map(shape => `'${readPath(shape, name)}'`).join()
}

function readPath(shape: string, name: string): string {
  const path = /^<path .*\bd="([^"]*)"/.exec(shape)?.[1]
  if (path === undefined) throw new Error(`The icon "${name}" has a shape that is not a path: ${shape}`)
  return path
}
