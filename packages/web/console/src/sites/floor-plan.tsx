import { Button, FileButton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { NoPicture, picture_types, shrinkPicture } from '../developers/applications/shrink-picture.ts'
import { IconPencil, IconPhotoUp } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure, showFailure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { PlacingPlan, ShownPlan } from './plan-doors.tsx'
import type { SiteWithCalendars } from './site.ts'
import './floor-plan.css'

type Site = Pick<SiteWithCalendars, 'id' | 'name' | 'floor_plan_hash' | 'is_deleted'>

const drawing = { side: 2000, most_bytes: 500_000 }

/** A picture of the site with its doors on it, and how they are now. */
export function FloorPlan({ site }: { site: Site }) {
  const { client, organization, may_write } = useApi()
  const [is_placing, setPlacing] = useState(false)
  const {
    data: image,
    error,
    refetch,
  } = useQuery({
    queryKey: keyOf(organization.id, 'floor_plan', site.id, site.floor_plan_hash),
    queryFn: async ({ signal }) => (await client.sites.floor_plan(site.id, { signal })).image,
    enabled: site.floor_plan_hash !== null,
    // Its hash says when it is another one.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const may_change = may_write && !site.is_deleted
  if (site.floor_plan_hash === null)
    return (
      <Section title="Floor plan">
        <Empty
          title="No floor plan yet"
          action={may_change && <Upload site={site} label="Upload a picture" />}
        >
          A drawing or a photo of the site, on which doors show whether they are open.
        </Empty>
      </Section>
    )
  return (
    <Section
      title="Floor plan"
      actions={
        may_change && (
          <>
            {is_placing && <Upload site={site} label="Replace" />}
            {is_placing && <Remove site={site} />}
            <Button
              variant={is_placing ? 'filled' : 'default'}
              size="compact-sm"
              leftSection={is_placing ? undefined : <IconPencil size={13} />}
              onClick={() => setPlacing(!is_placing)}
            >
              {is_placing ? 'Done' : 'Place doors'}
            </Button>
          </>
        )
      }
    >
      {error && !image && <Failure error={error} retry={refetch} />}
      {!error && !image && <LoadingLines lines={6} />}
      {image &&
        (is_placing ? <PlacingPlan site={site} image={image} /> : <ShownPlan site={site} image={image} />)}
    </Section>
  )
}

function useStore({ id }: Site) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const store = async (makeImage: () => Promise<string | null>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await client.sites.set_floor_plan(id, { image: await makeImage() })
      refresh('sites')
    } catch (error) {
      if (error instanceof NoPicture) setFault(error.message)
      else showFailure(error, t('Could not change the floor plan'))
    } finally {
      setBusy(false)
    }
  }
  return { store, is_busy, fault }
}

function Upload({ site, label }: { site: Site; label: string }) {
  const { store, is_busy, fault } = useStore(site)
  return (
    <>
      <FileButton
        accept={picture_types}
        onChange={file => file && void store(() => shrinkPicture(file, drawing))}
        inputProps={{ 'aria-label': 'Floor plan file' }}
      >
        {props => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            leftSection={<IconPhotoUp size={14} />}
            loading={is_busy}
          >
            {label}
          </Button>
        )}
      </FileButton>
      {fault && (
        <Text size="xs" className="bad-ink" role="alert">
          {fault}
        </Text>
      )}
    </>
  )
}

/** Doors keep their places, so the same picture uploaded again is as before. */
function Remove({ site }: { site: Site }) {
  const { store, is_busy } = useStore(site)
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-sm"
      loading={is_busy}
      onClick={() => void store(async () => null)}
    >
      Remove
    </Button>
  )
}
