import { Page } from '../parts/page.tsx'

export function Screen() {
  return <Page title="Settings">{null}</Page>
}
