import { Page } from '../parts/page.tsx'

export function Screen() {
  return <Page title="Triggers">{null}</Page>
}
