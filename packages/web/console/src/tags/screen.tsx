import { taggable } from '@gatehouse-access/api'
import { Checkbox, ColorInput, Group } from '@mantine/core'
import { Route, Switch, useLocation, useParams } from 'wouter'
import { lossesOf } from '../access/losses.ts'
import type { ItemOf } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { IconTag } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import type { Column } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'

type Tag = ItemOf<'tags'>

const kinds: Record<string, string> = {
  member: t('Members'),
  member_group: t('Groups'),
  site: t('Sites'),
  device: t('Devices'),
  gadget: t('Doors'),
}

const columns: readonly Column<Tag>[] = [
  {
    title: 'Name',
    width: '2fr',
    render: ({ name, color }) => (
      <Group gap={8} wrap="nowrap" component="span">
        <span className="tag-color" style={{ background: color }} />
        <Name>{name}</Name>
      </Group>
    ),
  },
  {
    title: 'Applies to',
    width: '2fr',
    render: ({ applies_to }) => (
      <span className="soft two-lines">
        {applies_to.length === taggable.length
          ? t('Everything')
          : applies_to.map(kind => kinds[kind]).join(', ')}
      </span>
    ),
  },
]

export function Screen() {
  return (
    <Switch>
      <Route path="/tags" component={TagList} />
      <Route path="/tags/:id" component={TagList} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}

/** The list of tags. `/tags/<id>` opens a tag over it. */
function TagList() {
  const { id } = useParams<{ id?: string }>()
  const [, go] = useLocation()
  const { data: opened, error, refetch } = useObject('tags', id)
  if (error && !opened) return <Failure error={error} retry={refetch} is_page />
  return (
    <ListPage
      title="Tags"
      plural="tags"
      columns={columns}
      query={{ sort: 'name:asc' }}
      href={tag => `/tags/${tag.id}`}
      deleted={{ label: 'Show tags', title: 'No deleted tags' }}
      adding={{
        label: 'New tag',
        first: 'Create your first tag',
        dialog: close => <EditTag onClose={close} />,
      }}
      empty={{
        icon: <IconTag />,
        title: 'No tags yet',
        about:
          'Tags are colored labels for members, groups, sites, devices and doors. A rule of a group can open all doors with a tag.',
      }}
    >
      {opened && <EditTag key={opened.id} tag={opened} onClose={() => go('/tags')} />}
    </ListPage>
  )
}

function EditTag({ tag, onClose }: { tag?: Tag; onClose: () => void }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const draft = useDraft(
    { name: tag?.name ?? '', color: tag?.color ?? '#3551c9', applies_to: tag?.applies_to ?? [...taggable] },
    async values => {
      if (tag) await client.tags.edit(tag.id, values)
      else await client.tags.create(values)
      refresh('tags')
      onClose()
    },
  )
  return (
    <FormModal
      title={tag?.is_deleted ? 'Deleted tag' : tag ? 'Edit tag' : 'New tag'}
      opened
      onClose={onClose}
      draft={draft}
      is_empty={tag?.is_deleted ?? false}
      action={tag ? 'Save' : 'Create tag'}
    >
      <DeclaredField kind="tag" name="name" label="Name" draft={draft} autoFocus />
      <ColorInput
        label="Color"
        value={draft.values.color}
        onChange={color => draft.set('color', color)}
        error={draft.errorOf('color')}
        withEyeDropper={false}
        // "Fix" may restore a value older than the typed one. The service rejects invalid colors.
        fixOnBlur={false}
      />
      <Checkbox.Group
        label="Applies to"
        description="Only these can have the tag. What already has it keeps it."
        value={[...draft.values.applies_to]}
        onChange={value => draft.set('applies_to', value as Tag['applies_to'])}
      >
        <Group gap="md" mt={8}>
          {taggable.map(kind => (
            <Checkbox key={kind} value={kind} label={kinds[kind]} />
          ))}
        </Group>
      </Checkbox.Group>
      {tag && may_write && (
        <div>
          <RemoveButton
            label="Delete tag"
            removal={{
              id: tag.id,
              name: tag.name,
              plurals: ['tags', 'members', 'member_groups', 'sites', 'devices', 'gadgets'],
              remove: () => client.tags.delete(tag.id),
              restore: () => client.tags.edit(tag.id, { is_deleted: false }),
            }}
            back="/tags"
            is_deleted={tag.is_deleted}
            losses={async () => lossesOf(await client.tags.uses(tag.id))}
          />
        </div>
      )}
    </FormModal>
  )
}
