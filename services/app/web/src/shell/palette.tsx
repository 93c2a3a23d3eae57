import { useEffect } from 'react';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useLocation } from 'wouter';
import { usePresent } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { commandsFor } from './commands.ts';

const [store, spotlight] = createSpotlight();

/** Everything that can be opened or begun, by its name. */
export function Palette({ close, openHelp }: { close(): void; openHelp(): void }) {
  const { workspace, features } = usePresent();
  const [, go] = useLocation();
  useEffect(() => spotlight.open(), []);
  const actions = commandsFor(workspace.role, features, openHelp).map(({ name, icon, hint, run }) => ({
    id: name,
    label: name,
    description: hint,
    leftSection: <Icon name={icon} />,
    onClick: () => run(go),
  }));
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={actions}
      nothingFound="Nothing has this name."
      onSpotlightClose={close}
      searchProps={{ placeholder: 'Go to a page, or do something', 'aria-label': 'Search pages and commands' }}
      highlightQuery
    />
  );
}
