import type { Header } from './header-block.ts';

const CONTENT_ID = /^<([\x21-\x3b\x3d\x3f-\x7e]{1,250})>$/;

/** The id by which html shows a part (`cid:`), without its brackets; null where the part has none that can be used. */
export function contentIdOf(header: Header): string | null {
  return CONTENT_ID.exec(header.first('content-id')?.trim() ?? '')?.[1] ?? null;
}
