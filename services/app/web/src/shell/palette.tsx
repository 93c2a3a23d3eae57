import { useEffect } from 'react';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useLocation } from 'wouter';
import { usePresent } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { commandsFor } from './commands.ts';
import { useThings } from './things.ts';

/** More would not be read; typing narrows them. */
const MOST_SHOWN = 40;
const [store, spotlight] = createSpotlight();

/** Everything that can be opened or begun, by its name. */
export function Palette({ close, openHelp }: { close(): void; openHelp(): void }) {
  const { workspace, features } = usePresent();
  const [, go] = useLocation();
  useEffect(() => spotlight.open(), []);
  const things = useThings();
  const actions = [...commandsFor(workspace.role, features, openHelp), ...things].map(
    ({ id, name, icon, hint, run }) => ({
      id: id ?? name,
      label: name,
      description: hint,
      leftSection: <Icon name={icon} />,
      onClick: () => run(go),
    }),
  );
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={actions}
      nothingFound="Nothing has this name."
      limit={MOST_SHOWN}
      scrollable
      maxHeight={420}
      onSpotlightClose={close}
      searchProps={{ placeholder: 'Go to a page, or do something', 'aria-label': 'Search pages and commands' }}
      highlightQuery
    />
  );
}
