import type { Header } from './header-block.ts';
import type { Structured } from './parameters.ts';

/** One entity: where its body stands and what its header says of it. */
export interface Entity {
  header: Header;
  type: Structured;
  disposition: Structured;
  encoding: string;
  start: number;
  end: number;
}
