import type { ControlStatus } from '../../contract/evidence-packs.ts';
import type { EvidencedControl } from './soc2-controls.ts';

/**
 * The status of a control (docs/semantics.md, "Evidence packs"): `none` without a record; `evidenced` where every source has records and records alone
 * can evidence the control; otherwise `partial`.
 *
 * @param found sources of the control that have records
 */
export function controlStatus({ sources, reach }: EvidencedControl, found: number): ControlStatus {
  if (found === 0) return 'none';
  return reach === 'whole' && found === sources.length ? 'evidenced' : 'partial';
}
