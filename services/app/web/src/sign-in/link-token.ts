/** The token leaves the address bar at once, so that nobody reads it there or finds it in the history. */
export function tokenOfLink(): string {
  return decodeURIComponent(window.location.hash.slice(1));
}
