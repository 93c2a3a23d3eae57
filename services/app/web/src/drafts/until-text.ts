/** `leaves in 04:32`. */
export function untilText(ms: number): string {
  if (ms <= 0) return 'leaves now';
  const seconds = Math.ceil(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `leaves in ${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}
