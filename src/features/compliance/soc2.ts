import type { Framework } from '../../contract/compliance.ts';
import { soc2Controls } from './soc2-controls.ts';

/** SOC 2 as it is listed. */
export const soc2: Framework = {
  id: 'soc2',
  name: 'SOC 2',
  label: 'SOC 2 (Trust Services Criteria)',
  reviewedOn: '2026-11-23',
  reviewedBy: "Reviewed by Spanwise's engineering, not by a licensed auditor.",
  controls: soc2Controls.map(({ controlId, title }) => ({ controlId, title })),
};
