"""Word tables: which words mean one thing, which say nothing, which set things apart."""

from __future__ import annotations

from pipelines.english_words import ENGLISH, LIGHT
from pipelines.everyday_words import EVERYDAY
from pipelines.office_words import OFFICE

# One line a meaning; the first word stands for all.
_SYNONYMS = """
timeout 타임아웃 제한시간 시간제한 time-out
rto recoverytimeobjective 복구목표시간 목표복구시간
rpo recoverypointobjective 복구목표시점 목표복구시점
vat 부가가치세 부가세 valueaddedtax
mfa 2fa 다중인증 이중인증 2단계인증 multi-factor
nda 비밀유지계약 비밀유지계약서 비밀유지서약
admin 관리자 administrator 어드민
첫 최초 처음 first initial
moq 최소주문수량 최소주문량 minimumorderquantity
pr 풀리퀘스트 pullrequest
리뷰 리뷰어 review reviewer
retry 재시도 retries 재전송 재처리
종료 마감 만료 종료일 마감일 만료일 종결 끝나 끝 완료일 deadline expiry expire end ends valid validity ttl 유효
시작 개시 착수 시작일 착수일 개시일 start starts begin begins
보관 보유 보존 retention retained kept keep 저장 retain
직원 임직원 구성원 사원 근로자 employee 종업원 staff
고객 이용자 사용자 회원 customer user 소비자 구매자
비용 경비 cost 소요비용 expense 사용료 요금 price 가격 단가 금액 fee 대금 수수료
예산 사업비 budget 총사업비 소요예산
계약 contract agreement 약정 계약서
납품 납기 인도 delivery 배송 deliver delivered 배달
환불 반품 refund 환급 refunds
결제 지불 payment 납부 payments pay paid
휴가 leave vacation 휴가일
연차 연차휴가 연가 annualleave
병가 sickleave
여름 하계 하절기 여름철 summer
겨울 동계 동절기 겨울철 winter
재시작 재기동 restart
요금제 플랜 plan
refresh 리프레시
attachment 첨부 attach
재택 재택근무 원격근무 원격 remote
비밀번호 패스워드 암호 password passwords
로그인 login sign-in 로그온
세션 session sessions
백업 backup backups
업로드 upload uploads 올리
파일 file files 첨부파일
회의 미팅 meeting 회의체
교육 연수 training
신청 접수 application 지원서 apply
참석 참가 참여 attend
응답 회신 답변 response respond 대답 reply answer
점검 검사 inspection 진단 점검일
할인 discount 감면
보증 warranty guarantee
하자보증 하자보수
최종 최종본 final
초안 draft
엘리베이터 승강기 elevator lift
면접 인터뷰 interview
야근 초과근무 시간외근무 연장근로 연장근무 overtime
상여 성과급 보너스 인센티브 bonus incentive
노트북 랩톱 laptop
창고 warehouse
재고 inventory stock
협력사 협력업체 벤더 vendor supplier 공급업체 공급사 납품업체
침해사고 보안사고 침해 securityincident
병합 머지 merge
롤백 rollback 되돌리
경보 알람 alert alarm
출입증 출입카드 사원증
셔틀 통근버스 셔틀버스 shuttle
검수 인수검사
설비 장비 기계 기기 equipment device
불량 결함 defect
고객센터 콜센터 상담센터 callcenter
상담원 상담사 agent
시료 샘플 sample
검진 건강검진 checkup
준공 완공
주문 발주 order 오더
출고 출하 shipment ship
운송 운반 수송 transport
택배 소포 parcel
서명 날인 사인 sign signature
인쇄 출력 프린트 print
수료 이수 completion
강의 강좌 수업 course class
문서 서류 document
사무실 오피스 office
입사 입사일
복귀 돌아오 귀임
신고 제보
교체 교환 replace 갈
바꾸 바뀌
대기 기다리 wait
단말 단말기 terminal
홈페이지 웹사이트 사이트 website site
휴게 휴식 break
구내식당 식당 사내식당 cafeteria
점심 점심시간 lunch
건물 빌딩 building
난방 히터 heating
냉방 에어컨 cooling
방화벽 firewall
백신 antivirus
취약점 vulnerability
패치 보안패치 patch
저장소 리포지토리 리포 repository repo
배치 배치작업 batch
쿠폰 할인권 coupon
사은품 경품 gift
민원 불만 클레임 complaint
특허 patent
과제 연구과제
논문 paper
지원 지원금 보조금
대출 사내대출 loan
책 도서 book
창립 창립기념일
개인정보 personaldata
위약 위약금
입찰 투찰 bid
감사 audit
실사 재고조사 실사일
소방 화재 fire
훈련 drill
파이썬 python
자바 java jdk openjdk
윈도우 윈도 windows
크롬 chrome
안드로이드 android
토큰 token
스토리지 storage
디스크 disk
메모리 memory ram
네트워크 network
인증서 certificate
라이선스 라이센스 license
계정 account
권한 permission
페이지 page
표시 보이 show display 노출
결혼 혼인
수당 allowance
채용 recruit hiring 모집
게시 posting
영수증 receipt
청구서 인보이스 invoice
견적 견적서 quote quotation
지급 급여일 지급일
급여 임금 월급 봉급 salary
배포 릴리스 출시 release released 발매 launch
서버 server servers
호출 요청 청구 request requests req reqs call calls
max limited 최대 최장 최고 maximum 상한 limit 한도 제한 상한액 한도액 최대치
min 최소 최저 minimum 하한 최소한
가용 가용률 가용성 availability uptime 가동률
조회 검색 search 열람
주기 간격 interval frequency 빈도
근무 근로 업무시간 근무시간 work working 영업 운영시간
승인 결재 approval 허가 approve 재가
담당 owner 담당자
출장 trip travel
숙박 숙소 lodging hotel
식사 식대 식비 meal
주차 주차장 parking
선발 뽑 선정 뽑히 select
임대 임차 임대차 대여 렌탈 rental lease rent
구입 구매 매입 purchase buy
수리 보수 정비 repair
가입 등록 registration sign-up
해지 탈퇴 취소 cancel cancellation
통보 통지 알림 알리 notice 고지 notify notification
연체 지연 overdue late delay delayed
이자 이율 금리 연이율 연리 interest
적립 포인트 reward points 마일리지
수습 수습기간 probation
경조 경조사
퇴직 퇴사 resignation
api apis
데이터 자료 data
전화 전화번호 연락처 대표전화 phone tel
데이터베이스 db database
실패 틀리 오류 잘못 fail failed failure
잠금 잠그 잠기 lock locked
승인 approved
메일 이메일 email e-mail 전자우편
다운로드 download downloads 내려받
캐시 cache
동시 concurrent 동시접속
연결 connection connections connect 커넥션 접속
읽기 read reads 읽
쓰기 write writes
복구 recovery restore 복원
기본 default 기본값 디폴트
버전 version
포트 port
방문 내방 visit visitor
구독 subscription
평가 심사 evaluation
보고 리포트 report
제출 submit submission
월급 급여
갱신 renewal renew 재계약
문의 상담 inquiry support
녹취 녹음 recording
폐기 파기
삭제 지우 delete deletion erase
반출 유출
외부 사외
내부 사내
지점 지사 영업점
제품 상품 product
모델 model
complete finish
main 메인
debug 디버그 디버깅
log 로그 logging logs 로깅
branch 브랜치
build 빌드
access 접근 액세스
cluster 클러스터
node 노드
queue 큐
worker 워커
thread 스레드
pool 풀
proxy 프록시
gateway 게이트웨이
container 컨테이너
image 이미지
commit 커밋
key 키
snapshot 스냅샷 스냅숏
index 인덱스 색인
message 메시지
module 모듈
plugin 플러그인
replica 복제본
production 프로덕션
rolling 롤링
detail 상세
idle inactivity 유휴
template 템플릿
dashboard 대시보드
monitoring 모니터링
security 보안
contractor 외주
시험 테스트 test
"""
_LINES = [
    line.split()
    for line in (line for table in (_SYNONYMS, EVERYDAY, OFFICE, ENGLISH) for line in table.strip().splitlines())
]
MEANS: dict[str, str] = {}
for _first, *_others in _LINES:
    MEANS |= {word: MEANS.get(_first, _first) for word in (_first, *_others) if word not in MEANS}
# Words that say nothing of which value it is: light verbs, measures, forms of the rule.
_EMPTY_WORDS = """
월간 연간 일간 영업일 근무일 하 되 있 없 않 이 그 저 것 수 등 및 또는 때 중 간 내 외 안 밖 후 전 위 아래 당 각
매 약 총 점 분 시 일 월 년 주 연 원 건 회 명 기간 기한 시간 시각 일시 일자 날짜 금액 값 설정 설정값 기준 횟수
개수 수량 정도 이상 이하 미만 초과 이내 이후 이전 까지 부터 경우 사항 내용 항목 대상 규정 지침 정책 원칙 조항
관련 해당 본 당사 우리 회사 우리회사 제공 부여 운영 적용 실시 시행 진행 유지 구성 처리 정하 두 받 걸리 소요
이루어지 가능 필요 대하 대한 따르 의하 위하 통하 관하 각각 모두 전체 모든 현재 최근 오늘 다음 이번 지난 올해
내년 작년 금년 규모 수준 비율 율 률 상태 방식 방법 결과 예정 계획 요구 지정 한정 보장 담 넘 초과하 달하 약간
대략 평균 기타 정규 합계 통해 대해 위해 따라 그리고 그러나 다만 단 또한 만 씩 별 번 차 도 밀리초 초 개월 동안
가지 가 사용 이용 완료 이루 나오 오 보 지 알 모르 좋 크 작 많 적 높 낮 길 짧 넣 쓰이 잡 맞추 마치 끝내 책정 확정
산정 정 됨 함 임 변경 수정 개정 개편 조정 상향 하향 인상 인하 연장 단축 수치 단위 이렇 그렇 같 다르 새 새로 곳
데 편 쪽 나 너 저희 귀사 안내 공지 참고 확인 바라 부탁 드리 말씀 주시 a an the of to in on at by for from with
and or is are was be been will shall must should may can set it its this that we our you your per within after
before up than more less no not least most only all any each as value values time times period number amount
total current currently day days date hours hour minute minutes week weeks month months year years second
seconds has have had do does took take takes allow allows allowed available mon tue wed thu fri sat sun jan feb
mar apr jun jul aug sep oct nov dec subject 크기 용량 size 사이즈 길이 length 면적 area 무게 중량 weight 인원
정원 인원수 headcount 수용 수용인원 capacity 규격 폭 높이 두께 인당 개당 건당 영하 영상 온도 환경 os 시속 속도
speed long wide high short old out 요일 날 작성 쓰 임계치 임계값 threshold run runs nightly include includes
수령 서비스 시스템 service system 목표 target goal 뒤 get gets got due make made give given keep keeps provide
provided 보내 올리 업무 프로그램 솔루션 기본적 daily weekly monthly quarterly yearly annual annually 매일 매주
매월 매년 about approximately into under over until till during s rate which when if then also there their them
they who what between both other every once 시기 시점
예상 통상 보통 일반적 원칙적 소요시간 곧 바로 직접 하나 꼭 우선 별개 이상일 관계 해주 넣 살 단계
권수 건수 대수 필드 field fields 입력값 입력란 파라미터 parameter environment last lasts need needs
"""
EMPTY = frozenset((*_EMPTY_WORDS.split(), *LIGHT.split()))
# Words that set a scope: two values with different ones are of different things. One line a class; "=" joins spellings.
CONTRASTS = """
폭=너비=가로=width 깊이=세로=depth 높이=height 두께=thickness 길이=length 직경=지름 둘레
신규 재가입 갱신 기존
국내 해외=국외
정규직=full-time=fulltime 계약직=비정규직=기간제 인턴 수습=수습직원 파견직 \
아르바이트=단시간근로자=part-time=parttime 임원 일용직
운영=운영계=운영환경=production=prod 개발=개발계=개발환경=development=dev 스테이징=staging=검증 테스트=test=qa=시험
연결=connect=connection 읽기=read=읽 쓰기=write 유휴=idle
평일=주중 주말=토요일=일요일=공휴일=휴일
성인=어른=대인 청소년 어린이=아동=소아=소인 경로=노인
개인 법인=기업=단체
남성=남자 여성=여자
입금 출금 이체
매출 매입 영업이익 순이익 이익
상반기 하반기
온라인 오프라인=매장
유상 무상
수도권 비수도권=지방
서울=seoul 부산=busan 대구=daegu 인천=incheon 광주 대전=daejeon 울산 세종 제주=jeju 경기 강원 판교 본사 \
지사=지점 수원 성남 용인 창원 청주 전주 천안 포항 구미 여수 원주 춘천 강릉 안산 안양 평택 화성 이천 김포 파주 \
고양 일산 분당 송도 마곡 강남 여의도 충북 충남 전북 전남 경북 경남 오창 광양 군산 목포 김해 아산
한국=korea 미국=us=usa 일본=japan 중국=china 독일=germany 베트남=vietnam 인도=india 영국=uk 프랑스=france \
싱가포르=singapore 대만=taiwan 유럽=europe=eu
본관 별관 신관 구관 후관
개인=개인용=personal 공용=공유=shared
cpu 메모리=memory=ram 디스크=disk 네트워크=network gpu
standard=일반배송 express=특급=퀵 overnight economy
early-bird=earlybird=얼리버드 regular=정가
긴급=urgent 일반=normal
달러=usd=dollar 유로=eur=euro 엔=jpy=엔화 위안=cny=위안화
부모상 조부모상 형제상 자녀상 배우자상
경결함=minor 중결함=major 치명결함
파손 분실
물품 공사 용역
이메일=email=e-mail 휴대전화=전화번호=phone 생년월일 주소=address
해지 갱신 체결
승온=가열=heating 냉각=cooling
로비=lobby 구내식당=cafeteria 옥상=rooftop 주차장=parking 회의실 화장실 탕비실 휴게실 창고=warehouse 강당 체육관 \
도서관 기숙사 사무실 실험실 전산실=서버실 복도 중정=안뜰=courtyard=yard
오전 오후 야간
대표이사 임원=임원급 본부장=본부장급 실장=실장급 팀장=팀장급 부장=부장급 과장=과장급 대리=대리급 파트장=파트장급 \
사원급
초급 중급 고급 특급
기본=기본형=베이직=basic=스탠다드=standard 고급형=프리미엄=premium=프로=pro 엔터프라이즈=enterprise 무료=free
1종 2종
내부=internal=사내 외부=external=사외
착수금=선급금=계약금 중도금 잔금
부가세별도 부가세포함
왕복 편도
국문 영문
본인 배우자 자녀 부모 형제
안드로이드=android ios=아이폰 웹=web pc
wifi lte
버스 택시 기차=ktx=철도 항공=비행기
신용카드=카드=체크카드 계좌이체=무통장 현금 어음 상품권
일반=일반회원 vip=우수회원 골드=gold 실버=silver 브론즈=bronze 플래티넘=platinum
단기 장기
상한=max 하한=min
시작=start=begin=착수=개시 종료=end=마감=만료
사전 사후
입사=채용 퇴사=퇴직
출근 퇴근
상차 하차
수신 발신=송신=발송
승인 취소 환불
업로드=upload 다운로드=download
요청=request 응답=response
로그인 로그아웃 회원가입
주간 야간
하절기=여름 동절기=겨울
유선 무선
1인실 2인실
소형 중형 대형
정기 수시=임시
수도 전기 가스
출원 등록
경고 심각
유료 무료
입고 출고
접수 통보
전체=full 증분=incremental 차등=differential
연간=annual=yearly 월간=monthly
본점 지점
방문 전화 서면
아침=조식 점심=중식 저녁=석식
출산 육아 병가 연차 경조 배우자출산 생리 공가
사내 사외
개인=개인용 사내=회사=업무용
초등학생=초등학교=초등 중학생=중학교 고등학생=고등학교 대학생=대학교=대학 대학원생=대학원
응답=초동대응 복구=해결 재발방지 원인분석
주문 배송 반품 교환
예약 취소
첫=최초 초안=초안본 중간=중간보고 최종=최종본
메인 서브
대상 최우수상 우수상 장려상 금상 은상 동상 특별상
critical=긴급=p1=치명=치명적 high=높음=p2=중대 medium=보통=p3 low=낮음=p4=경미
"""
