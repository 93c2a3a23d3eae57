const RETURN_PATH = /\/mailboxes\/consent\/\w+$/;

let returned: string | null = null;

/** Runs before anything is shown: the code of a provider stands in no history, no later address and no sign-in link. */
export function keepReturnedQuery({ location, history }: Pick<Window, 'location' | 'history'>): void {
  if (!RETURN_PATH.test(location.pathname) || location.search === '') return;
  returned = location.search;
  history.replaceState(null, '', location.pathname);
}

/** The query that a provider has sent, once; null without one. */
export function takeReturnedQuery(): string | null {
  const query = returned;
  returned = null;
  return query;
}
