import { initial } from './name.tsx'

interface ApplicationLogoProps {
  readonly id: string
  readonly name: string
  readonly has_logo: boolean
  readonly size?: number
  /** Change the number when the picture changes, so that the browser loads it again. */
  readonly version?: number
}

/** The logo of an application, served from our own origin. Falls back to the first letter of the name. */
export function ApplicationLogo({ id, name, has_logo, size = 22, version }: ApplicationLogoProps) {
  if (!has_logo)
    return (
      <span className="logo logo-letter" style={{ width: size, height: size }} aria-hidden>
        {initial(name)}
      </span>
    )
  const source = `/applications/${id}/logo${version ? `?v=${version}` : ''}`
  return <img className="logo" src={source} width={size} height={size} alt="" />
}
