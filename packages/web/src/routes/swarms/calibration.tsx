/** @module `/p/:pid/swarms/calibration`: how far simulated visitors lie from real ones. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { CalibrateDialog } from "../../features/swarms/parts/calibrate-dialog.tsx";
import { CalibrationReportView, CalibrationTable } from "../../features/swarms/parts/calibration-view.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";

export function Calibration() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useInfiniteQuery(pagedQuery("listCalibrations", { projectId: pid }));
  const { data, hasNextPage } = query;
  const [starting, setStarting] = usePrimaryAction();
  return (
    <PageFrame id="calibration" about={pageById("calibration").about}>
      <PageList
        id="calibration"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="calibrations"
        icon={Scale}
      >
        {(shown) => {
          const latest = shown.find(({ report }) => report !== null);
          return (
            <>
              {latest?.report && <CalibrationReportView calibration={latest} report={latest.report} />}
              <CalibrationTable items={shown} more={hasNextPage} />
            </>
          );
        }}
      </PageList>
      <ShowMore query={query} />
      {starting && <CalibrateDialog projectId={pid} onClose={() => setStarting(false)} />}
    </PageFrame>
  );
}
