/** Enough to tell one's devices apart: `Mac, Chrome`. */
export function deviceName(userAgent: string): string {
  const system = /iPhone|iPad|Android|Mac|Windows|Linux/.exec(userAgent)?.[0] ?? 'Unknown system';
  const browser = /Edg|Firefox|Chrome|Safari/.exec(userAgent)?.[0]?.replace('Edg', 'Edge') ?? 'unknown browser';
  return `${system}, ${browser}`;
}
