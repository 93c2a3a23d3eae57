import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { usePresent } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import classes from './navigation.module.css';
import { pagesFor } from './pages.ts';
import { signOut } from './sign-out.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl K';

interface Props {
  openPalette(): void;
  openHelp(): void;
}

export function Navigation({ openPalette, openHelp }: Props) {
  const { workspace, features } = usePresent();
  const [location] = useLocation();
  const isHere = (path: string) => (path === '/' ? location === '/' : `${location}/`.startsWith(`${path}/`));
  return (
    <div className={classes.column}>
      <WorkspaceMenu />
      <UnstyledButton className={classes.search} onClick={openPalette}>
        <Icon name="search" /> Search <kbd className={classes.keys}>{PALETTE_KEYS}</kbd>
      </UnstyledButton>
      <nav aria-label="Pages" className={classes.pages}>
        {pagesFor(workspace.role, features).map(({ path, name, icon }) => (
          <Link key={path} href={path} className={classes.page} aria-current={isHere(path) ? 'page' : undefined}>
            <Icon name={icon} /> {name}
          </Link>
        ))}
      </nav>
      <PersonMenu openHelp={openHelp} />
    </div>
  );
}

function WorkspaceMenu() {
  const { person, workspace, choose } = usePresent();
  if (person.memberships.length < 2) {
    return (
      <div className={classes.workspace}>
        <span className={classes.mark} aria-hidden />
        <span className={classes.name}>{workspace.name}</span>
      </div>
    );
  }
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.workspace} aria-label={`Workspace ${workspace.name}`}>
          <span className={classes.mark} aria-hidden />
          <span className={classes.name}>{workspace.name}</span>
          <Icon name="chevron" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {person.memberships.map(({ workspaceId, workspaceName }) => (
          <Menu.Item key={workspaceId} onClick={() => choose(workspaceId)}>
            {workspaceName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function PersonMenu({ openHelp }: { openHelp(): void }) {
  const { person, workspace } = usePresent();
  return (
    <Menu position="top-start" width={200}>
      <Menu.Target>
        <UnstyledButton className={classes.person}>
          <span className={classes.avatar} aria-hidden>
            {(person.name || person.email).slice(0, 1).toUpperCase()}
          </span>
          <span className={classes.who}>
            <span className={classes.name}>{person.name || person.email}</span>
            <span className={classes.role}>{workspace.role}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={openHelp}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
