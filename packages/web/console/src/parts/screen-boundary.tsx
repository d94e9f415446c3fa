import { Component, type ReactNode } from 'react'
import { Failure, isLost } from './failure.tsx'

/** Confines an error to one screen, so that the rest stays usable. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const again = () => (isLost(error) ? location.reload() : this.setState({ error: undefined }))
    return <Failure error={error} retry={again} is_page />
  }
}
